"""Data sets: which there are (datasets.yaml), how they are downloaded, generated and checked."""
