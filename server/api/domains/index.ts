import type { Route } from '../route.js'
import { addRealmDomain } from './add-realm-domain.js'
import { deleteRealmDomain } from './delete-realm-domain.js'
import { getRealmDomains } from './get-realm-domains.js'
import { patchRealmDomain } from './patch-realm-domain.js'

export const domainsRoutes: readonly Route[] = [getRealmDomains, addRealmDomain, patchRealmDomain, deleteRealmDomain]
