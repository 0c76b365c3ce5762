import type { StoreAddress } from './bare-store.js'
import { Child, Floor } from './child.js'
import type { Work } from './figures.js'
import type { Account } from './load-protocol.js'
import type { Undo } from './undo.js'

/** One request of a cycle. `{n}` in a parameter becomes a unique number. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1. */
  readonly path: string
  readonly who: Account
  readonly params: Readonly<Record<string, string>>
}

/** A request of an account. */
export const asks = (
  method: LoadRequest['method'],
  path: string,
  who: Account,
  params: LoadRequest['params'] = {},
): LoadRequest => ({ method, path, who, params })

/** Connections that send the requests in turn, each after the answer to the one before. */
export interface LoadRun {
  readonly port: number
  /** Default: http. */
  readonly transport?: 'http' | 'socket'
  readonly requests: readonly LoadRequest[]
  readonly inFlight: number
  /** The run ends after this many requests, or after this many seconds. */
  readonly count?: number
  readonly seconds?: number
  /** Each connection sends at this rate, or as soon as the request before is answered; default: at once. */
  readonly perSecond?: number
  /** Each answer must have an `id` of its own. */
  readonly hasIds?: boolean
}

export interface LoadResult extends Work {
  /** Median size of the bodies in bytes. */
  readonly bytes: number
  /** The longest body. */
  readonly body: string
}

/** The process that sends requests. @throws if one is refused */
export type RequestLoad = Child<LoadRun, LoadResult>
export const requestLoad = (undo: Undo): RequestLoad => new Child(undo, 'lib/request-load-process')

/** The floor's work for each request before it answers. */
export type FloorWork =
  | { readonly kind: 'bytes' }
  /** Concatenates the answer from the elements of its lists. */
  | { readonly kind: 'join' }
  /** Writes one value to Redis. */
  | { readonly kind: 'redis' }
  /** Stores the message of the request as one row, and answers with its id. */
  | { readonly kind: 'store' }

export interface FloorTask {
  readonly body: string
  readonly work: FloorWork
  readonly database: StoreAddress
  readonly redis: StoreAddress
}

/** The bare server for the same requests. */
export const requestFloor = (undo: Undo): Promise<Floor<FloorTask>> =>
  Floor.start<FloorTask>(undo, 'lib/request-floor-process')
