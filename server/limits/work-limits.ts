import pLimit from 'p-limit'
import { AccountTurns } from '../concurrency/account-turns.js'
import { BoundedWork } from '../concurrency/bounded-work.js'
import { EventLoopQueue } from '../concurrency/event-loop-queue.js'
import { KeyedMutex } from '../concurrency/keyed-mutex.js'
import { budgets } from '../config/budgets.js'
import { RunningCounts } from './running-counts.js'

const mostWaiting = 100

/** How much expensive work a worker does at once, for all callers together. A worker has one. */
export class WorkLimits {
  /** An answer that may occupy some ten megabytes of memory until it is sent. */
  readonly answersOfMany = new BoundedWork(
    budgets.answersOfMany.most,
    mostWaiting,
    'Too many requests for long lists of messages are running: retry.',
    { rests: true },
  )
  /** A search, which may take seconds in the database; `Ctx.searching` has one connection for each. */
  readonly searches = new BoundedWork(
    budgets.searchesAtOnce.most,
    mostWaiting,
    'Too many searches are under way: try again.',
  )
  /**
   * Reading the state for a register: it occupies a database connection, a core of the database and then the event loop. When thousands
   * of clients register again at once, other requests still need all three. There are as many workers as cores, so one at a time is enough.
   */
  readonly stateReads = pLimit(1)
  /**
   * Hashes of passwords run in the process's pool of four threads, which file reads and name lookups need too; each takes one thread and 19 MiB
   * for about 30 ms.
   */
  readonly passwordHashes = new BoundedWork(2, mostWaiting, 'Too many people are signing in just now: try again.')
  /** Sign-ins at a directory, which may answer slowly. */
  readonly ldapSignIns = new BoundedWork(10, mostWaiting, 'Too many people are signing in just now: try again.')
  /** The creation of accounts that the server itself needs, by address. */
  readonly systemAccounts = new KeyedMutex()
  /** By account. */
  readonly uploads = new RunningCounts<number>(
    budgets.uploadsAtOnce.most,
    'Too many of your uploads are running: wait for one to end.',
  )
  /**
   * Counting what uploads use. Each waits for one lock of the database; if all waited there, they would hold every connection, and reads would
   * wait for them.
   */
  readonly spaceChecks = new AccountTurns(
    budgets.spaceChecksWaiting.most,
    'Too many of your uploads begin at once: try again.',
  )
  /** Files that are being sent, by account, or by network without one. */
  readonly downloads = new RunningCounts<number | string>(
    budgets.downloadsAtOnce.most,
    'Too many files are being sent to you: wait for one to end.',
  )
  /** Tasks that occupy the event loop for milliseconds: each gets a turn of its own. */
  readonly longTasks = new EventLoopQueue()
}
