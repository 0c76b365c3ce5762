const facts = new Set<string>()

/** Records a fact about the API that the present test file shows. */
export function note(fact: string): void {
  facts.add(fact)
}

/** The facts since the last call; the test runner calls it after each file. */
export function takeFacts(): string[] {
  const taken = [...facts]
  facts.clear()
  return taken
}
