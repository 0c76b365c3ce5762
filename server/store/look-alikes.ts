interface Row {
  readonly id: number
}

/** Rows by what their names look like. Made when it is first asked, kept up to date from then on. */
export class LookAlikes<Named extends Row> {
  #byLook: Map<string, Set<Named>> | undefined

  /** @param rows all of them at the time of the call @param looksOf what a row's name looks like; none: it has no name */
  constructor(
    private readonly rows: () => Iterable<Named>,
    private readonly looksOf: (row: Named) => readonly string[],
  ) {}

  /** A row has come, or has taken the place of another one. */
  put(before: Named | undefined, row: Named): void {
    if (!this.#byLook) return
    if (before) for (const look of this.looksOf(before)) this.#byLook.get(look)?.delete(before)
    add(this.#byLook, this.looksOf(row), row)
  }

  /** A row, other than the one of `ownId`, whose name looks like that. */
  find(looks: readonly string[], ownId: number | null): Named | undefined {
    this.#byLook ??= this.#read()
    for (const look of looks) {
      for (const row of this.#byLook.get(look) ?? []) if (row.id !== ownId) return row
    }
    return undefined
  }

  #read(): Map<string, Set<Named>> {
    const byLook = new Map<string, Set<Named>>()
    for (const row of this.rows()) add(byLook, this.looksOf(row), row)
    return byLook
  }
}

function add<Named>(byLook: Map<string, Set<Named>>, looks: readonly string[], row: Named): void {
  for (const look of looks) {
    const rows = byLook.get(look)
    if (rows) rows.add(row)
    else byLook.set(look, new Set([row]))
  }
}
