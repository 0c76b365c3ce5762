import type { Sql, Tx } from '../../server/store/driver/db.js'
import { leasesEnded } from '../../server/store/driver/directory-lease.js'

type Begin = (options: string, work: (tx: Tx) => Promise<unknown>) => Promise<unknown>

/**
 * Has transactions of this pool that change the directory end the leases of workers by `recall`, as transactions of a worker do. Otherwise
 * each waits for the end of the leases: 50 ms for each account that a test makes.
 * @param recall true: no worker has a lease any more
 */
export function recallLeases(sql: Sql, recall: () => Promise<boolean>): void {
  const begin = sql.begin.bind(sql) as Begin
  const recalling: Begin = (options, work) =>
    begin(options, async tx => {
      const result = await work(tx)
      await leasesEnded(tx, recall)
      return result
    })
  Object.assign(sql, {
    begin: (...args: [Parameters<Begin>[1]] | Parameters<Begin>) =>
      args.length === 1 ? recalling('', args[0]) : recalling(...args),
  })
}
