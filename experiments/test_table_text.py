from experiments.table_text import machine_title


def test_a_machine_is_named_as_a_reader_would_name_it() -> None:
    machines = ("h200", "rtx_4090", "xeon_16_cores", "epyc_2_cores", "graviton_64_cores", None)
    assert [machine_title(machine) for machine in machines] == [
        *("H200", "RTX 4090", "16-core Xeon", "2-core EPYC", "64-core Graviton", "this machine"),
    ]
