import { budgets } from '../config/budgets.js'
import { isPublicAddress } from './address-policy.js'
import { ExternalHosts } from './external-hosts.js'
import type { PlaceLimits } from './fetch-places.js'
import { dnsResolver } from './resolve-host.js'
import { knownVideoProviders, type VideoProvider } from './video-providers.js'

/** Bounds of fetches; the budgets, unless a test needs less. */
export interface ExternalLimits extends PlaceLimits {
  /** Bodies that a worker passes on to one reader at once. */
  readonly perReader: number
  /** Requests of a reader in a minute, over all workers. */
  readonly perMinute: number
  /** Largest body that is passed on, in bytes. */
  readonly bytes: number
  /** Time until a host begins to answer, with what the request waits for a place, in ms. */
  readonly headMs: number
  /** Time for a whole body, in ms. */
  readonly bodyMs: number
  /** The least rate at which a host sends a body, and a client takes it. */
  readonly bytesPerSecond: number
  /** How late a host may be at this rate, in ms; the same for a client. */
  readonly hostPauseMs: number
  readonly clientPauseMs: number
  /** Time for one website, in ms. */
  readonly websiteMs: number
}

/** The hosts outside, as this server may reach them. */
export interface External {
  readonly hosts: ExternalHosts
  readonly limits: ExternalLimits
  readonly videoProviders: readonly VideoProvider[]
}

export const externalLimits: ExternalLimits = {
  atOnce: budgets.externalAtOnce.most,
  perHost: budgets.externalPerHost.most,
  waiting: budgets.externalWaiting.most,
  waitingPerOwner: budgets.externalWaitingPerReader.most,
  perReader: budgets.externalPerReader.most,
  perMinute: budgets.externalPerMinute.most,
  bytes: budgets.externalBytes.most,
  headMs: budgets.externalHeadMs.most,
  bodyMs: budgets.externalBodyMs.most,
  bytesPerSecond: 4_096,
  hostPauseMs: budgets.externalHostPauseMs.most,
  clientPauseMs: budgets.externalClientPauseMs.most,
  websiteMs: budgets.websiteMs.most,
}

/** Null: the operator has turned it off. */
export function openExternal({ externalContent }: { readonly externalContent: boolean }): External | null {
  if (!externalContent) return null
  return {
    hosts: new ExternalHosts(isPublicAddress, dnsResolver(), externalLimits),
    limits: externalLimits,
    videoProviders: knownVideoProviders,
  }
}
