# Draws every figure from what was measured here, else from committed results, and puts all on one page.
rule figure:
    input:
        result=result_of,
        recorded=records_of,
        definition="experiments/{target}.yaml",
    output:
        multiext("results/figures/{target}", ".svg", ".png", ".csv", ".txt", ".comparison.csv"),
    log:
        "results/logs/figure_{target}.log",
    params:
        scale=config["scale"],
        drawn_by=drawing_digest(),
        result=lambda wildcards, input: ["--result", *input.result] if input.result else [],
        recorded=lambda wildcards, input: ["--recorded", *input.recorded] if input.recorded else [],
    run:
        arguments = [wildcards.target, "--scale", params.scale, "--output-dir", "results/figures"]
        draw([*arguments, *params.result, *params.recorded], str(log))


rule stages_page:
    input:
        stages_page_sources,
        command=COMMAND,
        template="experiments/stages_page.html.j2",
    output:
        "results/stages.html",
    log:
        "results/logs/stages_page.log",
    run:
        shell("{PYTHON} -m experiments.stages_page --output {output} 2>&1 | tee {log}")


rule paper_notes_page:
    input:
        paper_notes_sources,
        notes="experiments/papers/{paper}_notes.yaml",
    output:
        "results/{paper}_notes.html",
    log:
        "results/logs/{paper}_notes_page.log",
    run:
        shell("{PYTHON} -m experiments.paper_notes_page {input.notes} --output {output} 2>&1 | tee {log}")


rule index_page:
    input:
        notes=[f"results/{page_name(path)}" for path in notes_paths()],
        stages=["results/stages.html"] if Path(COMMAND).exists() else [],
        figures=expand("results/figures/{target}.txt", target=TARGETS),
        template="experiments/index_page.html.j2",
    output:
        "results/index.html",
    log:
        "results/logs/index_page.log",
    run:
        shell("{PYTHON} -m experiments.index_page --output {output} 2>&1 | tee {log}")
