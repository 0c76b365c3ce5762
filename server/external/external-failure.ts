/** Another host cannot be read: it is away, refused, too slow, or answered something else. The message is for the log alone. */
export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure'
}
