import { randomBytes } from 'node:crypto'
import { arePasskeysPossible, checkPasskey, requestPasskey } from '../../../actions/factors/passkeys.js'
import type { ChallengePurpose } from '../../../auth/factors/challenges.js'
import type { WorkerCtx } from '../../../ctx.js'
import { isPasswordOn } from '../../../policies/sign-in.js'
import type { UserRow } from '../../../store/users/users.js'
import { accountPage, type PageAnswer, redirectTo } from '../account-page.js'
import type { AccountPage, PageCall } from '../add-account-page.js'
import { finishSignIn } from '../finish-sign-in.js'
import { html } from '../html.js'
import { endPageCookie, type PageCookie, readPageCookie, setPageCookie } from '../page-cookie.js'
import { atPath, goalOf, goalQuery, type SignInGoal } from '../sign-in-goal.js'
import { factorTexts } from './factor-texts.js'
import { finishPending, type PendingSignIn, pendingSignIn } from './pending.js'

/** Where a person signs in with a passkey alone. */
export const passkeyPath = '/accounts/login/passkey/'
/** Where a passkey follows a right password. */
export const passkeyFactorPath = '/accounts/login/factor/passkey/'

/** Passkeys of accounts here are a method as their passwords are: where an organization signs in elsewhere, they are a second factor only. */
export const signInByPasskey = (ctx: WorkerCtx): boolean => arePasskeysPossible(ctx) && isPasswordOn(ctx)

const browser: PageCookie = { name: 'parley_passkey', purpose: 'passkey sign-in', seconds: 600 }

const forSignIn = (nonce: string): ChallengePurpose => ({ use: 'sign in', subject: nonce })
const forFactor = ({ nonce }: PendingSignIn): ChallengePurpose => ({ use: 'second factor', subject: nonce })

/** The page that signs in by a passkey alone. Its challenge belongs to the browser, which keeps a random value in a cookie. */
export const passkeyPage: AccountPage = {
  pattern: passkeyPath,
  operation: 'sign_in_by_passkey',
  get(call) {
    const goal = goalOf(call.request.query)
    return signInByPasskey(call.ctx) ? askAlone(call, goal) : redirectTo(atPath('/login/', goal))
  },
  async post(call, form) {
    const { ctx, request } = call
    const goal = goalOf(form)
    if (!signInByPasskey(ctx)) return redirectTo(atPath('/login/', goal))
    const [nonce] = readPageCookie(ctx, request, browser) ?? []
    const user = typeof nonce === 'string' && (await checkPasskey(ctx, forSignIn(nonce), credentialIn(form)))
    if (!user) return askAlone(call, goal, true)
    const answer = await finishSignIn(call, user, goal, 'passkey')
    return { ...answer, headers: [...answer.headers, ['Set-Cookie', endPageCookie(ctx, browser)]] }
  },
}

async function askAlone(call: PageCall, goal: SignInGoal, isRefused = false): Promise<PageAnswer> {
  const nonce = randomBytes(16).toString('base64url')
  const options = await requestPasskey(call.ctx, forSignIn(nonce))
  const cookies = [setPageCookie(call.ctx, browser, [nonce])]
  return shown(call, { path: passkeyPath, goal, options, isRefused, other: atPath('/login/', goal), cookies })
}

/** The page that asks for a passkey after the password. */
export const passkeyFactorPage: AccountPage = {
  pattern: passkeyFactorPath,
  operation: 'second_factor',
  async get(call) {
    const pending = await pendingSignIn(call)
    return pending && arePasskeysPossible(call.ctx) ? askAfter(call, pending) : redirectTo('/login/')
  },
  async post(call, form) {
    const pending = await pendingSignIn(call)
    if (!pending || !arePasskeysPossible(call.ctx)) return redirectTo('/login/')
    const user = await checkPasskey(call.ctx, forFactor(pending), credentialIn(form))
    return isSame(user, pending) ? finishPending(call, pending, 'passkey') : askAfter(call, pending, true)
  },
}

const isSame = (user: UserRow | undefined, pending: PendingSignIn): boolean => user?.id === pending.user.id

async function askAfter(call: PageCall, pending: PendingSignIn, isRefused = false): Promise<PageAnswer> {
  const options = await requestPasskey(call.ctx, forFactor(pending), pending.user)
  return shown(call, { path: passkeyFactorPath, options, isRefused, other: '/accounts/login/factor/' })
}

/** Undefined: the form has none. */
function credentialIn(form: URLSearchParams): unknown {
  try {
    return JSON.parse(form.get('credential') ?? '')
  } catch {
    return undefined
  }
}

interface Shown {
  readonly path: string
  readonly options: object
  /** Where a person without the passkey goes on. */
  readonly other: string
  readonly isRefused: boolean
  readonly goal?: SignInGoal
  readonly cookies?: readonly string[]
}

function shown({ ctx, language }: PageCall, { path, options, other, isRefused, goal, cookies }: Shown): PageAnswer {
  const texts = factorTexts[language]
  const fields = goal ? [...goalQuery(goal)] : []
  const body = html`<p>${texts.passkeySays}</p>
${isRefused && html`<p class="notice bad" role="alert">${texts.passkeyRefused}</p>`}
<form method="post" action="${path}" data-options="${JSON.stringify(options)}"${!isRefused && html` data-now="1"`}>
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="credential">
<button class="button primary">${texts.usePasskey}</button>
</form>
<p class="apart"><a href="${other}">${goal ? texts.otherWay : texts.useCode}</a></p>`
  return accountPage(ctx, { title: texts.passkeyTitle, language, body, asksPasskey: true, cookies: cookies ?? [] })
}
