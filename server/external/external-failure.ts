/** Another host cannot be read: it is away, refused, too slow, or answered something else. The message is for the log alone. */
export class ExternalFailure extends Error {
  override readonly name: string = 'ExternalFailure'
}

/** Other fetches from the host, or from all hosts, left no place in time: the host was not asked, and a later fetch may succeed. */
export class BusyHost extends ExternalFailure {
  override readonly name = 'BusyHost'

  constructor() {
    super('too much is fetched at once')
  }
}

/** The address leads to a host that the fetch may not ask. */
export class OtherHost extends ExternalFailure {
  override readonly name = 'OtherHost'

  constructor(readonly host: string) {
    super(`${host} may not be asked`)
  }
}
