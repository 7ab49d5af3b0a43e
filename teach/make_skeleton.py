"""Makes the skeleton of an exercise: a stage with lines to be written.

python -m teach.make_skeleton [EXERCISE]        without one, lists them
"""

import argparse
import sys

from teach.exercise import ExerciseError, exercise_names, make_skeleton, read_exercise
from tools.copy_stage import CopyError
from tools.repository import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("exercise", nargs="?", default="")
    name: str = parser.parse_args().exercise
    try:
        if not name:
            for known in exercise_names():
                exercise = read_exercise(known)
                print(f"{known}: {exercise.title} (session {exercise.session})")
            return
        exercise = read_exercise(name)
        folder = make_skeleton(exercise)
    except (CopyError, ExerciseError) as error:
        sys.exit(f"skeleton: {error}")
    print(f"{folder.relative_to(ROOT)}: {exercise.title}\n\n{exercise.task}")
    print(
        f"Commit it as it is. Then write the prediction in stage.md, commit that, and write the code.\n"
        f"make grade STAGE={exercise.own} gives points."
    )


if __name__ == "__main__":
    main()
