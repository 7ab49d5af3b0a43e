# Asks the compiler only.
rule measure_ptx:
    input:
        compiled_sources,
    output:
        "results/measured/{compiled}.json",
    log:
        "results/logs/measure_{compiled}.log",
    run:
        shell("{PYTHON} -m experiments.ptx {wildcards.compiled} --output {output} 2>&1 | tee {log}")


# Takes all cores, so that nothing else runs beside a measurement.
rule measure:
    input:
        data="results/data/{on_cpu}.json",
        program=config["measuring_program"],
    output:
        "results/measured/{on_cpu}.json",
    log:
        "results/logs/measure_{on_cpu}.log",
    params:
        scale=config["scale"],
        wanted=scale_of,
    threads: workflow.cores
    run:
        shell(
            "{PYTHON} -m experiments.run_measurement {wildcards.on_cpu} --scale {params.scale}"
            " --data {input.data} --program {input.program} --output {output} 2>&1 | tee {log}"
        )
