import { budgets } from '../../config/budgets.js'
import type { ScimAnswer, ScimCall } from './answer.js'
import { notFound } from './answer.js'
import type { Fields } from './body.js'
import { groupSchema } from './groups.js'
import { userSchema } from './users.js'

const schemaOf = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`

/** What a directory may ask about the server (RFC 7643, 5 to 7). `id`: of one of a list; undefined: the whole. */
export function discover({ ctx: { publicUrl } }: ScimCall, kind: string, id: string | undefined): ScimAnswer {
  const at = (path: string) => `${publicUrl}/scim/v2/${path}`
  if (kind === 'ServiceProviderConfig') return { status: 200, body: serverConfig(at(kind)) }
  const all = kind === 'ResourceTypes' ? resourceTypes(at) : schemas(at)
  if (id === undefined) return { status: 200, body: listOf(all) }
  const one = all.find(resource => resource.id === id)
  if (!one) throw notFound()
  return { status: 200, body: one }
}

const listOf = (Resources: readonly Fields[]): Fields => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: Resources.length,
  startIndex: 1,
  itemsPerPage: Resources.length,
  Resources,
})

const serverConfig = (location: string): Fields => ({
  schemas: [schemaOf('ServiceProviderConfig')],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: budgets.scimPage.most },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that the operator makes for the directory.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location },
})

const resourceTypes = (at: (path: string) => string): readonly Fields[] =>
  [
    { id: 'User', endpoint: '/Users', schema: userSchema },
    { id: 'Group', endpoint: '/Groups', schema: groupSchema },
  ].map(one => ({
    schemas: [schemaOf('ResourceType')],
    name: one.id,
    ...one,
    meta: { resourceType: 'ResourceType', location: at(`ResourceTypes/${one.id}`) },
  }))

const attribute = (name: string, more: Fields = {}): Fields => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const schemas = (at: (path: string) => string): readonly Fields[] =>
  [
    {
      id: userSchema,
      name: 'User',
      attributes: [
        attribute('userName', { required: true, uniqueness: 'server' }),
        attribute('externalId', { caseExact: true }),
        attribute('displayName'),
        attribute('name', {
          type: 'complex',
          subAttributes: ['formatted', 'givenName', 'familyName'].map(name => attribute(name)),
        }),
        attribute('emails', {
          type: 'complex',
          multiValued: true,
          subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
        }),
        attribute('active', { type: 'boolean' }),
        attribute('roles', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
      ],
    },
    {
      id: groupSchema,
      name: 'Group',
      attributes: [
        attribute('displayName', { required: true, uniqueness: 'server' }),
        attribute('externalId', { caseExact: true }),
        attribute('members', {
          type: 'complex',
          multiValued: true,
          subAttributes: [
            attribute('value', { mutability: 'immutable' }),
            attribute('display', { mutability: 'readOnly' }),
          ],
        }),
      ],
    },
  ].map(one => ({
    schemas: [schemaOf('Schema')],
    ...one,
    meta: { resourceType: 'Schema', location: at(`Schemas/${one.id}`) },
  }))
