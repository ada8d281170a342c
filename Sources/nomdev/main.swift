print("nomdev")
