import { createCipheriv, randomBytes } from 'node:crypto'
import { badRequest } from '../../../shared/errors.js'
import { newApiKey } from '../../actions/accounts/new-secrets.js'
import { deviceName } from '../../auth/device-name.js'
import { authenticationFailed } from '../../auth/require-active.js'
import { desktopPrefix } from '../../auth/session-methods.js'
import { insertSession } from '../../store/accounts/sessions.js'
import type { UserRow } from '../../store/users/users.js'
import { accountPage, type PageAnswer, redirectTo } from './account-page.js'
import type { PageCall } from './add-account-page.js'
import { appTexts } from './app-texts.js'
import { html } from './html.js'
import type { SignInGoal } from './sign-in-goal.js'

// Seconds for which the server remembers that a pad was used: longer than any sign-in takes.
const padSeconds = 86_400
/** Seconds in which a desktop app has to use its login token. */
const loginTokenSeconds = 15

/**
 * Ends a sign-in by `method` that an app waits for (docs/protocol/conventions.md#sign-in-through-a-browser).
 * @throws {ApiError} BAD_REQUEST if the pad was used before
 */
export async function endInApp(
  call: PageCall,
  user: UserRow,
  pad: NonNullable<SignInGoal['pad']>,
  method: string,
): Promise<PageAnswer> {
  const { attempts, clock } = call.ctx
  if ((await attempts.count('pad', pad.key, [{ most: 1, seconds: padSeconds }], clock.now())) > 0) {
    throw badRequest('This one-time pad was used before.')
  }
  return pad.app === 'mobile' ? mobileEnd(call, user, pad.key) : desktopEnd(call, user, pad.key, method)
}

function mobileEnd({ ctx: { config, publicUrl } }: PageCall, user: UserRow, pad: string): PageAnswer {
  const parameters = new URLSearchParams({
    otp_encrypted_api_key: encryptedOnce(user.api_key, pad),
    email: user.delivery_email,
    user_id: String(user.id),
    realm: publicUrl,
  })
  return redirectTo(`${config.wireBrand}://login?${parameters}`)
}

/** The bytes of the key XOR those of the pad, which is as long, as hexadecimal digits. */
function encryptedOnce(apiKey: string, pad: string): string {
  const key = Buffer.from(apiKey, 'ascii')
  return Buffer.from(Buffer.from(pad, 'hex').map((byte, i) => byte ^ (key[i] ?? 0))).toString('hex')
}

/** The token is that of a short session, so what ends the sessions of the account ends it as well. */
async function desktopEnd(
  { ctx, language, request, since }: PageCall,
  user: UserRow,
  pad: string,
  method: string,
): Promise<PageAnswer> {
  const token = newApiKey()
  const { address, userAgent } = request
  const session = { user_id: user.id, method: `${desktopPrefix}${method}`, device: deviceName(userAgent), address }
  const life = { since, now: new Date(ctx.clock.now()), lifeMs: loginTokenSeconds * 1000 }
  if (!(await insertSession(ctx.sql, token, session, life))) throw authenticationFailed()
  const { title, says, label } = appTexts[language]
  const body = html`<p>${says}</p>
<label class="field">${label}
<input class="input" name="desktop_data" value="${sealed(token, pad)}" readonly></label>`
  return accountPage(ctx, { title, language, body })
}

/** 12 bytes IV, then AES-256-GCM ciphertext with its tag, as hexadecimal digits. */
function sealed(text: string, key: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), iv)
  return Buffer.concat([iv, cipher.update(text, 'ascii'), cipher.final(), cipher.getAuthTag()]).toString('hex')
}
