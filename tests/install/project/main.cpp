#include <ambit/ambit.h>

#include <iostream>

int main(int, char** arguments) {
  const ambit::Test test = ambit::read(arguments[1]);
  for (const ambit::Verdict& verdict : ambit::check(test, {"sc", "ptx"})) {
    std::cout << verdict.model << ": " << to_string(verdict.answer) << ", " << to_string(verdict.race) << "\n";
  }
}
