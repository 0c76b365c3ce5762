import { budgets } from '../config/budgets.js'
import { isPublicAddress } from './address-policy.js'
import { ExternalHosts } from './external-hosts.js'
import { dnsResolver } from './resolve-host.js'

/** Bounds of fetches; the budgets, unless a test needs less. */
export interface ExternalLimits {
  /** Fetches of a worker from one host at once. */
  readonly perHost: number
  /** Bodies that a worker passes on at once, and requests that wait for that. */
  readonly atOnce: number
  readonly waiting: number
  /** Largest body that is passed on, in bytes. */
  readonly bytes: number
  /** Time until a host begins to answer, with what the request waits for others, in ms. */
  readonly headMs: number
  /** Time without progress, of the host or of the client, in ms. */
  readonly stallMs: number
  /** Time for one website, in ms. */
  readonly websiteMs: number
}

/** The hosts outside, as this server may reach them. */
export interface External {
  readonly hosts: ExternalHosts
  readonly limits: ExternalLimits
}

export const externalLimits: ExternalLimits = {
  perHost: budgets.externalPerHost.most,
  atOnce: budgets.externalAtOnce.most,
  waiting: budgets.externalWaiting.most,
  bytes: budgets.externalBytes.most,
  headMs: budgets.externalHeadMs.most,
  stallMs: budgets.externalStallMs.most,
  websiteMs: budgets.websiteMs.most,
}

/** Null: the operator has turned it off. */
export function openExternal({ externalContent }: { readonly externalContent: boolean }): External | null {
  if (!externalContent) return null
  return { hosts: new ExternalHosts(isPublicAddress, dnsResolver(), externalLimits.perHost), limits: externalLimits }
}
