import { z } from 'zod'
import { type RealmDomain, realmDomain } from '../resources/realm-domain.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { realm_domains?: RealmDomain[] }

const fields = z.object({ realm_domain: realmDomain })

export const realmDomainsAdd = defineEvent('realm_domains/add', {
  doc: 'A domain was added to those of the allowed addresses.',
  fields,
  audit: ({ realm_domain: { domain, allow_subdomains } }) => [
    { subject: { domain }, before: null, after: { allow_subdomains } },
  ],
  apply: applyRealmDomainsAdd,
})

export const realmDomainsChange = defineEvent('realm_domains/change', {
  doc: 'Subdomains of a domain are allowed, or no longer allowed.',
  fields,
  audit: ({ realm_domain: { domain, allow_subdomains } }) => [
    { subject: { domain }, before: { allow_subdomains: !allow_subdomains }, after: { allow_subdomains } },
  ],
  apply: applyRealmDomainsChange,
})

export const realmDomainsRemove = defineEvent('realm_domains/remove', {
  doc: 'A domain was removed from those of the allowed addresses.',
  fields: z.object({ domain: z.string() }),
  audit: ({ domain }) => [{ subject: { domain }, before: null, after: { is_allowed: false } }],
  apply: applyRealmDomainsRemove,
})

export function applyRealmDomainsAdd(state: State, { realm_domain }: { realm_domain: RealmDomain }): void {
  state.realm_domains?.push(realm_domain)
}

export function applyRealmDomainsChange(state: State, { realm_domain }: { realm_domain: RealmDomain }): void {
  const known = state.realm_domains?.find(({ domain }) => domain === realm_domain.domain)
  if (known) known.allow_subdomains = realm_domain.allow_subdomains
}

export function applyRealmDomainsRemove(state: State, event: { domain: string }): void {
  if (state.realm_domains) state.realm_domains = state.realm_domains.filter(({ domain }) => domain !== event.domain)
}
