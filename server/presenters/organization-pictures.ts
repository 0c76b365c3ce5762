import type { OrganizationPicture, OrganizationRow } from '../store/organization/organization.js'

const defaults: Readonly<Record<OrganizationPicture, { readonly url: string; readonly source: 'G' | 'D' }>> = {
  icon: { url: '/static/images/icon.png?v=1', source: 'G' },
  logo: { url: '/static/images/logo.svg?v=1', source: 'D' },
  night_logo: { url: '/static/images/logo.svg?v=1', source: 'D' },
}

/** The path of a picture on this server, with a query that changes with it. */
export function pictureUrl({ pictures }: Pick<OrganizationRow, 'pictures'>, kind: OrganizationPicture): string {
  const { path = null, version = 1 } = pictures[kind] ?? {}
  return path === null ? defaults[kind].url : `/user_avatars/${path}.png?version=${version}`
}

/** The fields of one picture: `icon_url`, `icon_source` and so on. */
export function pictureFields(organization: Pick<OrganizationRow, 'pictures'>, kind: OrganizationPicture) {
  const isUploaded = typeof organization.pictures[kind]?.path === 'string'
  return {
    [`${kind}_url`]: pictureUrl(organization, kind),
    [`${kind}_source`]: isUploaded ? 'U' : defaults[kind].source,
  }
}

/** These fields of all pictures, with `realm_` in front. */
export const allPictureFields = (organization: OrganizationRow): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(defaults) as OrganizationPicture[])
      .flatMap(kind => Object.entries(pictureFields(organization, kind)))
      .map(([name, value]) => [`realm_${name}`, value]),
  )
