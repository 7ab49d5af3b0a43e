from pathlib import Path

from tools.kernel_mutations import Mutant, mutants_of

_ROOT = Path(__file__).resolve().parent.parent

_KERNEL = """\
// __syncthreads(); in a comment is none.
template <int Bytes>
__global__ void __launch_bounds__(256) decode(Frame frame, const std::uint8_t* input,
                                              std::uint8_t* __restrict__ output, unsigned* status) {
  GSST_SHARED_MEMORY(bytes);
  if (frame.wide) {
    __syncthreads();
  }
  pipeline_.consumer_wait();
  cuda::pipeline_consumer_wait_prior<1>(pipeline_);
  __syncwarp(0xff);
}
"""


def _descriptions(source: str) -> list[str]:
    return [mutant.description for mutant in mutants_of(source)]


def _mutant(source: str, description: str) -> Mutant:
    (found,) = [mutant for mutant in mutants_of(source) if mutant.description == description]
    return found


def test_every_barrier_and_wait_is_deleted_once() -> None:
    deleted = [description for description in _descriptions(_KERNEL) if description.startswith("without")]
    assert deleted == [
        "without __syncthreads()",
        "without pipeline_.consumer_wait()",
        "without cuda::pipeline_consumer_wait_prior<1>(pipeline_)",
        "without __syncwarp(0xff)",
    ]


def test_a_deleted_barrier_is_all_that_changes() -> None:
    mutant = _mutant(_KERNEL, "without __syncthreads()")
    assert mutant.line == 7
    assert mutant.source == _KERNEL.replace("    __syncthreads();\n", "    {}\n")
    assert mutant.builds[0] == "race"


def test_each_kernel_gets_each_mistake() -> None:
    planted = [description for description in _descriptions(_KERNEL) if description.startswith("decode with")]
    assert sorted(planted) == [
        "decode with a barrier in a branch",
        "decode with a read of shared memory that nobody wrote",
        "decode with a write before output",
        "decode with a write behind shared memory",
    ]


def test_mistakes_are_planted_where_the_names_are_known() -> None:
    before_output = _mutant(_KERNEL, "decode with a write before output").source
    assert "(output)[-1]" in before_output
    assert before_output.index("[-1]") < before_output.index("GSST_SHARED_MEMORY")
    behind_shared = _mutant(_KERNEL, "decode with a write behind shared memory").source
    assert behind_shared.index("GSST_SHARED_MEMORY(bytes);") < behind_shared.index("bytes[::gsst")


def test_a_kernel_without_shared_memory_gets_no_mistake_in_it() -> None:
    source = "__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }\n"
    assert _descriptions(source) == ["copy with a barrier in a branch", "copy with a write before to"]


def test_an_encoder_s_output_is_its_frame() -> None:
    source = "__global__ void copy(EncodeJob job) { job.parts.frame[0] = 1; }\n"
    assert "copy with a write before job.parts.frame" in _descriptions(source)


def test_every_kernel_of_this_repository_is_found() -> None:
    for path in _ROOT.glob("stages/*/*/kernel*.cu*"):
        source = path.read_text()
        kernels = source.count("__global__")
        branches = [text for text in _descriptions(source) if text.endswith("a barrier in a branch")]
        assert kernels == len(branches), path
        # Queries add to groups, searches to counts: they have no output of bytes.
        is_query = "(QueryOnDevice query" in source or "SearchOnDevice search" in source
        writes = [text for text in _descriptions(source) if "a write before" in text]
        assert len(writes) == (0 if is_query else kernels), path
