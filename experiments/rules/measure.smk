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


rule accesses_program:
    input:
        accesses_sources,
    output:
        ACCESSES_PROGRAM,
    log:
        "results/logs/accesses_program.log",
    threads: workflow.cores
    run:
        shell("cmake --build build --parallel {threads} --target gsst_measure_accesses 2>&1 | tee {log}")


# Takes all cores, so that nothing else runs beside a measurement.
rule measure:
    input:
        data="results/data/{on_cpu}.json",
        program=lambda wildcards: cpu_program(wildcards.on_cpu),
    output:
        "results/measured/{on_cpu}.json",
    log:
        "results/logs/measure_{on_cpu}.log",
    benchmark:
        "results/benchmarks/{on_cpu}.tsv"
    params:
        scale=config["scale"],
        wanted=lambda wildcards: wanted_of(wildcards.on_cpu),
    threads: workflow.cores
    run:
        shell(
            "{PYTHON} -m experiments.run_measurement {wildcards.on_cpu} --scale {params.scale}"
            " --data {input.data} --program {input.program} --output {output} 2>&1 | tee {log}"
        )


# One experiment at a time on the GPU, and nothing beside it: the processors compress its texts.
rule measure_on_gpu:
    input:
        data="results/data/{on_gpu}.json",
        program=built_for,
        profiled=profiled_result,
        nvcomp=nvcomp_for,
    output:
        "results/measured/{on_gpu}.json",
    log:
        "results/logs/measure_{on_gpu}.log",
    benchmark:
        "results/benchmarks/{on_gpu}.tsv"
    params:
        scale=config["scale"],
        wanted=lambda wildcards: wanted_of(wildcards.on_gpu),
        profiled=lambda wildcards, input: f"--points-of {input.profiled}" if input.profiled else "",
        nvcomp=lambda wildcards, input: "--nvcomp" if input.nvcomp else "",
    threads: workflow.cores
    resources:
        gpu=1,
    run:
        shell(
            "{PYTHON} -m experiments.run_gpu_measurement {wildcards.on_gpu} --scale {params.scale}"
            " --data {input.data} {params.profiled} {params.nvcomp} --output {output} 2>&1 | tee {log}"
        )
