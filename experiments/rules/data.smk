# Finds, downloads or generates the data; what cannot be had is listed in the manifest and said.
rule fetch_data:
    output:
        "results/data/{on_cpu}.json",
    log:
        "results/logs/fetch_data_{on_cpu}.log",
    params:
        scale=config["scale"],
        wanted=scale_of,
        data_dir=os.environ.get(DATA_DIR_VARIABLE, ""),
        incomplete_since=incomplete_since,
    resources:
        fetching=1,
    run:
        shell(
            "{PYTHON} -m experiments.fetch_data {wildcards.on_cpu} --scale {params.scale} --output {output}"
            " 2>&1 | tee {log}"
        )
