# Finds, downloads or generates the data; what cannot be had is listed in the manifest and said.
rule fetch_data:
    output:
        "results/data/{reads_data}.json",
    log:
        "results/logs/fetch_data_{reads_data}.log",
    params:
        scale=config["scale"],
        wanted=lambda wildcards: wanted_of(wildcards.reads_data),
        data_dir=os.environ.get(DATA_DIR_VARIABLE, ""),
        incomplete_since=incomplete_since,
    resources:
        fetching=1,
    run:
        shell(
            "{PYTHON} -m experiments.fetch_data {wildcards.reads_data} --scale {params.scale}"
            " --output {output} 2>&1 | tee {log}"
        )
