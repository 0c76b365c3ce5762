import { ApiError } from '../../shared/errors.js'

/** Bounds the work of one kind that each caller has running at this worker, where it occupies a connection, memory and a file. */
export class RunningCounts<Caller extends number | string> {
  private readonly counts = new Map<Caller, number>()

  /** `message`: of the refusal beyond `most`. */
  constructor(
    private readonly most: number,
    private readonly message: string,
  ) {}

  /** @throws {ApiError} SERVER_NOT_READY while as many as allowed are running */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const before = this.counts.get(caller) ?? 0
    if (before >= this.most) throw new ApiError('SERVER_NOT_READY', this.message)
    this.counts.set(caller, before + 1)
    try {
      return await work()
    } finally {
      const left = (this.counts.get(caller) ?? 1) - 1
      if (left > 0) this.counts.set(caller, left)
      else this.counts.delete(caller)
    }
  }
}
