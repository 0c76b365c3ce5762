import { ApiError } from '../../../../shared/errors.js'
import { arePasskeysPossible } from '../../../actions/factors/passkeys.js'
import { tryCode } from '../../../actions/factors/try-code.js'
import { needsFactor } from '../../../policies/second-factors.js'
import { factorsOf, hasFactor } from '../../../store/accounts/factors.js'
import type { UserRow } from '../../../store/users/users.js'
import { accountPage, type PageAnswer, redirectTo } from '../account-page.js'
import type { AccountPage, PageCall } from '../add-account-page.js'
import { finishSignIn } from '../finish-sign-in.js'
import { html } from '../html.js'
import { atPath, type SignInGoal } from '../sign-in-goal.js'
import { factorTexts } from './factor-texts.js'
import { passkeyFactorPath } from './passkey-page.js'
import { finishPending, goOnAt, type PendingSignIn, pendingSignIn } from './pending.js'
import { setUpPath } from './set-up-page.js'

const place = '/accounts/login/factor/'

/** Goes on after a right password: with the second factor of the account, or by setting up one that the organization requires. */
export async function afterPassword(call: PageCall, user: UserRow, goal: SignInGoal): Promise<PageAnswer> {
  const factors = await factorsOf(call.ctx.sql, user.id)
  const isByPasskey = factors.app_created === null && arePasskeysPossible(call.ctx)
  if (hasFactor(factors)) return goOnAt(isByPasskey ? passkeyFactorPath : place, call, user, goal)
  if (needsFactor(call.ctx.directory, user)) return goOnAt(setUpPath, call, user, goal)
  return finishSignIn(call, user, goal, 'password')
}

/** The page that asks for the second factor. */
export const factorPage: AccountPage = {
  pattern: place,
  operation: 'second_factor',
  async get(call) {
    const pending = await pendingSignIn(call)
    return pending ? shown(call, pending) : redirectTo('/login/')
  },
  async post(call, form) {
    const pending = await pendingSignIn(call)
    if (!pending) return redirectTo('/login/')
    const texts = factorTexts[call.language]
    try {
      const given = { code: form.get('code') ?? '', address: call.request.address }
      const found = await tryCode(call.ctx, pending.user, given)
      return found ? await finishPending(call, pending, found) : await shown(call, pending, { says: texts.wrong })
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'RATE_LIMIT_HIT') throw thrown
      const minutes = Math.ceil(Number(thrown.fields['retry-after']) / 60)
      return shown(call, pending, { says: texts.tooMany(minutes), status: 429 })
    }
  },
}

interface Problem {
  readonly says: string
  readonly status?: number
}

async function shown(
  { ctx, language }: PageCall,
  { user, goal }: PendingSignIn,
  problem?: Problem,
): Promise<PageAnswer> {
  const texts = factorTexts[language]
  const { app_created, passkeys } = await factorsOf(ctx.sql, user.id)
  const body = html`<p class="quiet" dir="auto">${texts.account(user.delivery_email)}</p>
${problem && html`<p class="notice bad" role="alert">${problem.says}</p>`}
<form method="post" action="${place}">
<label class="field">${app_created ? texts.code : texts.recoveryCode}
<input class="input" name="code" autocomplete="one-time-code" maxlength="100" required autofocus spellcheck="false" autocapitalize="none"><span class="hint">${app_created ? texts.hint : texts.recoveryHint}</span></label>
<button class="button primary">${texts.submit}</button>
</form>
${passkeys > 0 && arePasskeysPossible(ctx) && html`<p><a href="${passkeyFactorPath}">${texts.usePasskey}</a></p>`}
<p class="apart"><a href="${atPath('/login/', goal)}">${texts.other}</a></p>`
  return accountPage(ctx, { title: texts.title, language, body, status: problem?.status ?? 200 })
}
