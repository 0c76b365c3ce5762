import { entryOf } from '../../actions/joining/entry.js'
import { type SignUpOutcome, signUp } from '../../actions/joining/sign-up.js'
import { receivesDefaultChannels } from '../../policies/default-channels.js'
import { isPasswordOn } from '../../policies/sign-in.js'
import { readDefaultChannelGroups } from '../../store/channels/default-channel-groups.js'
import { isTimeZone } from '../../text/time-zone.js'
import { accountPage, type PageAnswer, redirectTo } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { afterPassword } from './factor/factor-page.js'
import { type Html, html } from './html.js'
import { atPath } from './sign-in-goal.js'
import { goalOfSignUp, withoutSignUp } from './sign-up-goal.js'
import { signUpTexts } from './sign-up-texts.js'

/** Where the links of mails lead. Shows the form of the next step at once: only that one uses the key up. */
export const confirmPage: AccountPage = {
  pattern: '/accounts/do_confirm/:key',
  operation: 'sign_up_confirmed',
  get: call => shown(call, { key: call.values[0] ?? '', fullName: '', chosen: [] }),
}

/** Makes the account. */
export const newAccountPage: AccountPage = {
  pattern: '/accounts/register/',
  operation: 'register',
  async post(call, form) {
    const key = form.get('key') ?? ''
    const [fullName, chosen] = [form.get('full_name') ?? '', form.getAll('default_stream_group')]
    if (form.has('from_confirmation') || !form.has('full_name')) return shown(call, { key, fullName, chosen })
    const outcome = await signUp(call.ctx, key, {
      fullName,
      password: form.get('password') ?? '',
      timezone: known(form.get('timezone') ?? ''),
      language: call.request.acceptLanguage === '' ? undefined : call.language,
      emailAddressVisibility: visibilityOf(form.get('email_address_visibility')),
      channelGroups: chosen,
    })
    return answerOf(call, outcome, { key, fullName, chosen })
  },
}

const known = (zone: string): string | undefined => (isTimeZone(zone) ? zone : undefined)

const visibilityOf = (text: string | null): number | undefined =>
  /^[1-5]$/.test(text ?? '') ? Number(text) : undefined

interface Shown {
  readonly key: string
  readonly fullName: string
  /** Names of groups of default channels. */
  readonly chosen: readonly string[]
  readonly again?: 'name' | 'name taken' | 'password'
}

async function answerOf(call: PageCall, outcome: SignUpOutcome, given: Shown): Promise<PageAnswer> {
  if ('again' in outcome) return shown(call, { ...given, again: outcome.again })
  if ('registered' in outcome) {
    const goal = goalOfSignUp(call, outcome.registered)
    return redirectTo(atPath('/login/', goal, { email: outcome.registered, already_registered: '1' }))
  }
  const goal = goalOfSignUp(call, outcome.user.delivery_email)
  return withoutSignUp(call, await afterPassword(call, outcome.user, goal))
}

async function shown(call: PageCall, given: Shown): Promise<PageAnswer> {
  const { ctx, language } = call
  const { email, invitation } = await entryOf(ctx, ctx.sql, given.key)
  const texts = signUpTexts[language]
  const groups = invitation && !receivesDefaultChannels(invitation) ? [] : await readDefaultChannelGroups(ctx.sql)
  const body = html`<p class="quiet" dir="auto">${texts.place(ctx.directory.organization.name)}</p>
<form method="post" action="/accounts/register/">
<input type="hidden" name="key" value="${given.key}">
<label class="field">${texts.email}
<input class="input" type="email" value="${email}" autocomplete="username" readonly></label>
<label class="field">${texts.name}
<input class="input" name="full_name" value="${given.fullName}" autocomplete="name" required minlength="2" maxlength="100">
${given.again !== 'password' && problem(call, given)}</label>
${isPasswordOn(ctx) && passwordField(call, given)}
${groups.length > 0 && html`<fieldset class="stack"><legend>${texts.channels}</legend>${groups.map(group => groupCheck(group, given))}</fieldset>`}
<button class="button primary">${texts.create}</button>
</form>`
  return accountPage(ctx, { title: texts.formTitle, language, body })
}

const problem = ({ language }: PageCall, { again }: Shown): Html | undefined =>
  again && html`<span class="notice bad" role="alert">${signUpTexts[language].again[again]}</span>`

const passwordField = (
  call: PageCall,
  given: Shown,
): Html => html`<label class="field">${signUpTexts[call.language].password}
<input class="input" type="password" name="password" autocomplete="new-password" required maxlength="100">
${given.again === 'password' ? problem(call, given) : html`<span class="hint">${signUpTexts[call.language].passwordHint}</span>`}</label>`

const groupCheck = (
  { name, description }: { readonly name: string; readonly description: string },
  { chosen }: Shown,
): Html =>
  html`<label class="check"><input type="checkbox" name="default_stream_group" value="${name}"${chosen.includes(name) && html` checked`}>
<span dir="auto">${name}${description !== '' && html`<br><span class="hint">${description}</span>`}</span></label>`
