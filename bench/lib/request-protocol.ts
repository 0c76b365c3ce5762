import type { StoreAddress } from './store-address.js'

/** One request of a cycle. `{n}` in a parameter stands for a number that comes once. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below /api/v1. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly email: string
  readonly api_key: string
}

export interface LoadRun {
  readonly port: number
  readonly requests: readonly LoadRequest[]
  readonly inFlight: number
  /** As many requests, or for so long. */
  readonly count?: number
  readonly seconds?: number
}

export interface LoadResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Bytes of a body, at the median. */
  readonly bytes: number
  /** The longest body. */
  readonly body: string
}

export type LoadAnswer =
  | { readonly ok: true; readonly result: LoadResult }
  | { readonly ok: false; readonly reason: string }

/** What the floor does for each request beside answering with the bytes. */
export type FloorWork =
  | { readonly kind: 'bytes' }
  /** Puts the answer together from the elements of its lists. */
  | { readonly kind: 'join' }
  /** Writes one thing to Redis. */
  | { readonly kind: 'redis' }
  /** Asks the database one thing, with the next of the lists of values. */
  | { readonly kind: 'query'; readonly text: string; readonly values: readonly (readonly (number | string)[])[] }

export interface FloorTask {
  readonly body: string
  readonly work: FloorWork
  readonly database: StoreAddress
  readonly redis: StoreAddress
}
