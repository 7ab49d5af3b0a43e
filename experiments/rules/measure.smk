# Takes all cores, so that nothing else runs beside a measurement.
rule measure:
    input:
        data="results/data/{target}.json",
        program=config["measuring_program"],
    output:
        "results/measured/{target}.json",
    log:
        "results/logs/measure_{target}.log",
    params:
        scale=config["scale"],
        wanted=scale_of,
    threads: workflow.cores
    run:
        shell(
            "{PYTHON} -m experiments.run_measurement {wildcards.target} --scale {params.scale}"
            " --data {input.data} --program {input.program} --output {output} 2>&1 | tee {log}"
        )
