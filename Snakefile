# The whole workflow: data, measurements, figures, one page with all of them.
#
#     snakemake --profile profiles/default --cores 2 --config scale=tiny|default|paper
#     snakemake --profile profiles/gpu --config scale=tiny|default|paper                   with this machine's GPU
#
# The rules are in experiments/rules/, the configuration is explained in experiments/schemas/config.schema.json.
from snakemake.utils import min_version, validate

min_version("9.25")


configfile: "experiments/config.yaml"


validate(config, "experiments/schemas/config.schema.json")


include: "experiments/rules/common.smk"
include: "experiments/rules/data.smk"
include: "experiments/rules/measure.smk"
include: "experiments/rules/figures.smk"


if WITH_NVCOMP:

    include: "experiments/rules/peers.smk"


# With profiles/slurm these run where snakemake was started: a cluster's nodes often have no network and no nvcc.
localrules:
    all,
    fetch_data,
    measure_ptx,
    accesses_program,
    figure,
    index_page,
    stages_page,
    paper_notes_page,


rule all:
    default_target: True
    input:
        "results/index.html",
        # A result that is missing is measured again, though its figure is there.
        [measured_result(target) for target in TARGETS],


# A figure that could not be made leaves the others: the page is written with those, and names the missing one.
onerror:
    shell("{PYTHON} -m experiments.index_page --output results/index.html")
