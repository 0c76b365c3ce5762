import sharp from 'sharp'
import { signedAddress } from '../../server/external/signed-address.js'
import type { NativeRoute } from '../../server/http/native-routes.js'
import type { Sql } from '../../server/store/driver/db.js'
import { sendFiles, upload } from './files.js'
import type { Person } from './people.js'
import { TusClient } from './tus.js'

type Bytes = Uint8Array<ArrayBuffer>
const picture = { create: { width: 300, height: 200, channels: 3, background: '#c81e1e' } } as const

/**
 * Paths of each route of the native layer, of things that exist where there are any: those of a pattern without parameters are the pattern.
 * @throws for another pattern that the list below lacks.
 */
export async function nativePaths(
  routes: readonly NativeRoute[],
  { url, sql }: { readonly url: string; readonly sql: Sql },
  owner: Person,
): Promise<Map<string, readonly string[]>> {
  const made = await parameterPaths(url, sql, owner)
  const paths = new Map<string, readonly string[]>()
  for (const { pattern } of routes) {
    const found = /[:*]/.test(pattern) ? made[pattern] : [pattern]
    if (!found) throw new Error(`test/support/native-paths.ts has no path for ${pattern}`)
    paths.set(pattern, found)
  }
  return paths
}

const withSlash = (path: string): Record<string, string[]> => {
  const given = path.replace(/:\w+/, 'x')
  return { [path]: [given], [`${path}/`]: [`${given}/`] }
}

// Of things that do not exist, since a test has no identity provider.
const signInPaths: Record<string, readonly string[]> = {
  ...withSlash('/accounts/login/subdomain/:token'),
  ...withSlash('/accounts/login/social/oidc/:id'),
  ...withSlash('/accounts/register/social/oidc/:id'),
  ...withSlash('/complete/oidc/:id'),
  ...withSlash('/accounts/oidc/:id/logout'),
}

async function parameterPaths(url: string, sql: Sql, owner: Person): Promise<Record<string, readonly string[]>> {
  const png = (await sharp(picture).png().toBuffer()) as Bytes
  const file = await upload(url, owner, { name: 'a.txt', bytes: '0123456789', type: 'text/plain' })
  const shown = await upload(url, owner, { name: 'a.png', bytes: png, type: 'image/png' })
  const id = file.slice('/user_uploads/'.length)
  const { url: temporary } = await owner.ok('GET', `/user_uploads/${id}`)
  const { body } = await sendFiles(url, owner, '/users/me/avatar', { files: [{ name: 'face.png', bytes: png }] })
  const tus = await new TusClient(url).begin(owner, 10)
  const [organization] = await sql<{ secret: string }[]>`select secret from organization`
  return {
    '/user_uploads/*': [
      file,
      file.replace('/user_uploads/', '/user_uploads/download/'),
      shown.replace('/user_uploads/', '/user_uploads/thumbnail/').concat('/840x560.webp'),
      temporary,
      `${file}x`,
      '/user_uploads/thumbnail/x',
      '/user_uploads/temporary/x',
    ],
    '/user_avatars/*': [new URL(body.avatar_url, url).pathname, '/user_avatars/1/x.png'],
    '/user_avatars/exports/*': ['/user_avatars/exports/x', '/user_avatars/exports/x/x.tar.gz'],
    '/avatar/:user_id': [`/avatar/${owner.id}`, '/avatar/999999', '/avatar/x'],
    '/avatar/:user_id/medium': [`/avatar/${owner.id}/medium`],
    // This machine is no public host, so its content is not available.
    '/external_content/*': [
      signedAddress(organization?.secret ?? '', 'http://127.0.0.1:1/a.png'),
      '/external_content/x',
    ],
    '/api/v1/tus/*': [tus, '/api/v1/tus/', '/api/v1/tus/x'],
    '/api/v1/external/:integration': ['/api/v1/external/json', '/api/v1/external/x'],
    '/slack/api/:method': ['/slack/api/auth.test', '/slack/api/x'],
    '/scim/v2/*': ['/scim/v2/Users', '/scim/v2/Groups/x', '/scim/v2/x'],
    '/accounts/confirm_new_email/:key': ['/accounts/confirm_new_email/x'],
    '/setup/:code': ['/setup/x'],
    '/setup/:code/': ['/setup/x/'],
    '/join/:key': ['/join/aaaaaaaaaaaaaaaaaaaaaaaa'],
    '/join/:key/': ['/join/aaaaaaaaaaaaaaaaaaaaaaaa/'],
    '/accounts/do_confirm/:key': ['/accounts/do_confirm/aaaaaaaaaaaaaaaaaaaaaaaa'],
    '/accounts/do_confirm/:key/': ['/accounts/do_confirm/aaaaaaaaaaaaaaaaaaaaaaaa/'],
    ...withSlash('/reactivate/:key'),
    '/accounts/unsubscribe/:kind/:key': ['/accounts/unsubscribe/login/x'],
    '/accounts/unsubscribe/:kind/:key/': ['/accounts/unsubscribe/login/x/'],
    '/accounts/password/reset/:user_id/:key': ['/accounts/password/reset/1/set-password'],
    '/accounts/password/reset/:user_id/:key/': ['/accounts/password/reset/1/set-password/'],
    ...signInPaths,
    '/help/*': ['/help/any-page'],
    '/*': ['/nothing', '/api/v1', '/api/v1/', '/api/v1/nothing', '/user_uploads', '/assets/x.js'],
  }
}
