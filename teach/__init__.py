"""What a teacher needs beside the course: skeletons of exercises, and grades."""
