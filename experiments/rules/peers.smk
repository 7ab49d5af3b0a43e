# NVIDIA nvCOMP, on request only (--config nvcomp=true): it has a licence of its own.
NVCOMP_DIR = "build/nvcomp"


# With profiles/slurm these run where snakemake was started: the nodes often have no network and no nvcc.
localrules:
    install_nvcomp,
    build_nvcomp,


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
        [os.path.relpath(path) for path in measured_sources(paths=measured_paths("gpu", list(NVCOMP_PROGRAMS)))],
    output:
        list(NVCOMP_PROGRAMS.values()),
    log:
        "results/logs/build_nvcomp.log",
    params:
        targets=[os.path.basename(path) for path in NVCOMP_PROGRAMS.values()],
    threads: workflow.cores
    run:
        shell(
            "(cmake --preset cpu -U 'nvcomp_*' -DGSST_CUDA=ON -DGSST_NVCOMP_DIR=$PWD/{NVCOMP_DIR}"
            " && cmake --build --preset cpu --parallel {threads} --target {params.targets}) 2>&1 | tee {log}"
        )
