# nvCOMP beside our stages, on request only (--config nvcomp=true): it has a licence of its own, and needs nvcc and a GPU.
NVCOMP_DIR = "build/nvcomp"


rule install_nvcomp:
    input:
        "experiments/peers/requirements.txt",
    output:
        f"{NVCOMP_DIR}/nvidia/libnvcomp/LICENSE",
    log:
        "results/logs/install_nvcomp.log",
    run:
        shell("experiments/peers/install_nvcomp.sh {PYTHON} {NVCOMP_DIR} 2>&1 | tee {log}")


rule build_nvcomp:
    input:
        rules.install_nvcomp.output,
        measured_sources(paths=measured_paths("gpu", ["nvcomp"])),
    output:
        "build/bin/gsst_measure_nvcomp",
    log:
        "results/logs/build_nvcomp.log",
    threads: workflow.cores
    run:
        shell(
            "(cmake --preset cpu -DGSST_CUDA=ON -DGSST_NVCOMP_DIR=$PWD/{NVCOMP_DIR}"
            " && cmake --build --preset cpu --parallel {threads} --target gsst_measure_nvcomp"
            " gsst_measure_stages gsst_measure_memory) 2>&1 | tee {log}"
        )


# Takes all cores, so that nothing else runs beside a measurement.
rule measure_peers:
    input:
        rules.build_nvcomp.output,
    output:
        "results/measured/gsst_fig_6_2.json",
        "results/measured/gsst_fig_6_4.json",
    log:
        "results/logs/measure_peers.log",
    params:
        scale=config["scale"],
    threads: workflow.cores
    resources:
        gpu=1,
    run:
        shell(
            "{PYTHON} -m experiments.measure_peers --scale {params.scale} --output-dir results/measured"
            " 2>&1 | tee {log}"
        )
