import { ApiError } from '../../../shared/errors.js'
import { checkedEmail, checkedFullName } from '../../actions/accounts/account-details.js'
import { type SetUp, setUp, waysToJoin } from '../../actions/set-up/set-up.js'
import { organizationTexts } from '../../actions/settings/organization-rules.js'
import { channelName } from '../../api/channels/params.js'
import { requireStrongPassword } from '../../auth/password-strength.js'
import { isEmpty, isSetupCode } from '../../auth/setup-code.js'
import { addressRefusal } from '../../policies/joining.js'
import { externalMethods } from '../../presenters/external-methods.js'
import { accountPage, type PageAnswer } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { finishSignIn } from './finish-sign-in.js'
import { html } from './html.js'
import { type Problem, setupTexts } from './setup-texts.js'

const mostChannels = 20

/** The page behind the setup link, which makes the owner of an empty organization (docs/administration.md#the-first-account). */
export const setupPage: AccountPage = {
  pattern: '/setup/:code/',
  operation: 'set_up',
  get(call) {
    requireLink(call)
    return shown(call, new URLSearchParams({ channels: setupTexts[call.language].firstChannels }))
  },
  async post(call, form) {
    requireLink(call)
    const wanted = await read(call, form)
    if (typeof wanted === 'string') return shown(call, form, wanted)
    const owner = await setUp(call.ctx, wanted, 'website')
    return finishSignIn(call, owner, { next: '/' }, 'password')
  },
}

/** The link is gone as soon as there is an account. @throws {ApiError} NOT_FOUND */
function requireLink({ ctx: { directory }, values: [code = ''] }: PageCall): void {
  if (!isEmpty(directory) || !isSetupCode(directory, code))
    throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
}

/** What the form says, or the first thing that is wrong in it. */
async function read({ ctx, language }: PageCall, form: URLSearchParams): Promise<SetUp | Problem> {
  const field = (name: string) => form.get(name) ?? ''
  const name = organizationTexts.name.safeParse(field('organization'))
  if (!name.success) return 'organization'
  const fullName = await accepted(() => checkedFullName(field('full_name')))
  if (fullName === undefined) return 'fullName'
  const email = await accepted(() => checkedEmail(field('email')))
  if (email === undefined || addressRefusal(ctx.directory, email)) return 'email'
  const password = field('password')
  const strong = await accepted(() => requireStrongPassword(password, [email, fullName]).then(() => true))
  if (!strong) return 'password'
  const channels = channelNames(field('channels'))
  if (!channels) return 'channels'
  const joining = waysToJoin.find(way => way === form.get('joining')) ?? 'invitation'
  return { organizationName: name.data, fullName, email, password, joining, channels, language }
}

/** Undefined: the text was refused. */
async function accepted<T>(check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** Undefined: one of the names is refused, or is there twice. */
function channelNames(given: string): string[] | undefined {
  const parts = given.split(',').filter(part => part.trim() !== '')
  const names = parts.flatMap(part => channelName.safeParse(part).data ?? [])
  const distinct = new Set(names.map(name => name.toLowerCase()))
  return names.length === parts.length && distinct.size === names.length && names.length <= mostChannels
    ? names
    : undefined
}

function shown({ ctx, language }: PageCall, form: URLSearchParams, problem?: Problem): PageAnswer {
  const texts = setupTexts[language]
  const value = (name: string) => form.get(name) ?? ''
  const notice = (of: Problem) =>
    of === problem && html`<span class="notice bad" role="alert">${texts.problems[of]}</span>`
  const methods = [texts.password, ...externalMethods(ctx).map(method => method.display_name)]
  const joining = form.get('joining') ?? waysToJoin[0]
  const body = html`<p class="quiet">${texts.intro}</p>
<form method="post">
<label class="field">${texts.organization}
<input class="input" name="organization" value="${value('organization')}" maxlength="40" required>${notice('organization')}</label>
<label class="field">${texts.fullName}
<input class="input" name="full_name" value="${value('full_name')}" autocomplete="name" required>${notice('fullName')}</label>
<label class="field">${texts.email}
<input class="input" type="email" name="email" value="${value('email')}" autocomplete="username" required spellcheck="false">${notice('email')}</label>
<label class="field">${texts.password}
<input class="input" type="password" name="password" autocomplete="new-password" required><span class="hint">${texts.passwordHint}</span>${notice('password')}</label>
<fieldset class="stack"><legend>${texts.joining}</legend>
${waysToJoin.map(
  way =>
    html`<label class="check"><input type="radio" name="joining" value="${way}"${way === joining && html` checked`}> ${texts.ways[way]}</label>`,
)}
</fieldset>
<label class="field">${texts.channels}
<input class="input" name="channels" value="${value('channels')}"><span class="hint">${texts.channelsHint}</span>${notice('channels')}</label>
<p class="hint">${texts.methods(methods.join(', '))}<br>${texts.address(ctx.publicUrl)}</p>
<button class="button primary">${texts.submit}</button>
</form>`
  return accountPage(ctx, { title: texts.title, language, body })
}
