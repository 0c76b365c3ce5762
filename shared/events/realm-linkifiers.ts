import { z } from 'zod'
import { type Linkifier, linkifier } from '../resources/linkifier.js'
import type { ClientState } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'

type State = ClientState & { realm_linkifiers?: Linkifier[] }

const fields = z.object({
  realm_linkifiers: z.array(linkifier).describe('All linkifiers, in the order in which they are applied.'),
})

export const realmLinkifiers = defineEvent('realm_linkifiers', {
  doc: 'A linkifier or the order of the linkifiers changed; the event contains all of them in their order.',
  fields,
  dependsOn: ['linkifier_url_template'],
  // Clients without this capability cannot read URL templates.
  render: (payload: FieldsOf<typeof fields>, view) => (view.linkifier_url_template ? payload : null),
  audit: ({ realm_linkifiers }) => [
    { subject: {}, before: null, after: { patterns: realm_linkifiers.map(one => one.pattern) } },
  ],
  apply: applyRealmLinkifiers,
})

export function applyRealmLinkifiers(state: State, event: { realm_linkifiers: Linkifier[] }): void {
  if (state.realm_linkifiers) state.realm_linkifiers = event.realm_linkifiers
}
