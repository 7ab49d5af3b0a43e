"""Carries recorded results over from one commit to another without measuring them again.

docs/carrying_over.md says how.

`kernels` compares machine code (rule K), `launches` what programs ask of the CUDA runtime (rule L), `speed`
times that both commits had on one GPU (rule S).
"""
