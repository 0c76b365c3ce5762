interface Row {
  readonly id: number
}

/** An index of rows by the look of their names, built at first use and updated afterwards. */
export class LookAlikes<Named extends Row> {
  private byLook: Map<string, Set<Named>> | undefined

  /** @param rows all rows at the time of the call @param looksOf the looks of a row's name; empty if it has no name */
  constructor(
    private readonly rows: () => Iterable<Named>,
    private readonly looksOf: (row: Named) => readonly string[],
  ) {}

  /** Adds a row; `before` is its previous version, if any. */
  put(before: Named | undefined, row: Named): void {
    if (!this.byLook) return
    if (before) this.remove(before)
    add(this.byLook, this.looksOf(row), row)
  }

  remove(row: Named): void {
    if (this.byLook) for (const look of this.looksOf(row)) this.byLook.get(look)?.delete(row)
  }

  /** A row other than `ownId`, of those that `counts` accepts, whose name has one of these looks. */
  find(looks: readonly string[], ownId: number | null, counts: (row: Named) => boolean = all): Named | undefined {
    this.byLook ??= this.read()
    for (const look of looks) {
      for (const row of this.byLook.get(look) ?? []) if (row.id !== ownId && counts(row)) return row
    }
    return undefined
  }

  private read(): Map<string, Set<Named>> {
    const byLook = new Map<string, Set<Named>>()
    for (const row of this.rows()) add(byLook, this.looksOf(row), row)
    return byLook
  }
}

const all = () => true

function add<Named>(byLook: Map<string, Set<Named>>, looks: readonly string[], row: Named): void {
  for (const look of looks) {
    const rows = byLook.get(look)
    if (rows) rows.add(row)
    else byLook.set(look, new Set([row]))
  }
}
