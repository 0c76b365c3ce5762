import { ApiError } from '../../shared/errors.js'
import { budgets } from '../config/budgets.js'

/** Bounds the uploads of each account that arrive at this worker at the same time: each occupies a connection, memory and a file. */
export class UploadCounts {
  private readonly counts = new Map<number, number>()

  /** Runs one upload of the account. @throws {ApiError} SERVER_NOT_READY while as many as the budget allows are running */
  async run<T>(userId: number, upload: () => Promise<T>): Promise<T> {
    const before = this.counts.get(userId) ?? 0
    if (before >= budgets.uploadsAtOnce.most) {
      throw new ApiError('SERVER_NOT_READY', 'Too many of your uploads are running: wait for one to end.')
    }
    this.counts.set(userId, before + 1)
    try {
      return await upload()
    } finally {
      const left = (this.counts.get(userId) ?? 1) - 1
      if (left > 0) this.counts.set(userId, left)
      else this.counts.delete(userId)
    }
  }
}
