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
        [
            os.path.relpath(path)
            for path in measured_sources(paths=measured_paths("gpu", ["nvcomp", "nvcomp_zlib"]))
        ],
    output:
        NVCOMP_PROGRAM,
        NVCOMP_ON_ZLIB_PROGRAM,
    log:
        "results/logs/build_nvcomp.log",
    threads: workflow.cores
    run:
        shell(
            "(cmake --preset cpu -U 'nvcomp_*' -DGSST_CUDA=ON -DGSST_NVCOMP_DIR=$PWD/{NVCOMP_DIR}"
            " && cmake --build --preset cpu --parallel {threads} --target gsst_measure_nvcomp gsst_measure_nvcomp_zlib) 2>&1 | tee {log}"
        )
