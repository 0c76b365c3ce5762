import type { Linkifier } from '../resources/linkifier.js'
import { defineEvent } from './event.js'

export interface RealmLinkifiersPayload {
  /** All linkifiers, in the order in which they are applied. */
  realm_linkifiers: readonly Linkifier[]
}

export const realmLinkifiers = defineEvent<RealmLinkifiersPayload>('realm_linkifiers', {
  doc: 'The linkifiers of the organization, all of them in their order, after one of them or the order changed.',
  dependsOn: ['linkifier_url_template'],
  // Clients without this capability cannot read URL templates.
  render: (payload, view) => (view.linkifier_url_template ? { ...payload } : null),
  apply(state, event) {
    if (state.realm_linkifiers) state.realm_linkifiers = event.realm_linkifiers
  },
})
