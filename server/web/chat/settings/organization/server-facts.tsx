import { createResource, For, type JSX, Show } from 'solid-js'
import { numberText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { type SettingsKey, st } from '../../../language/settings-language.js'
import { useChat } from '../../chat.js'
import { Fact } from '../../dialogs/fact.js'

const mib = 1_048_576

/** A number of MiB with its unit. */
export const sizeText = (size: number): string => st('facts.mib', numberText(size, { maximumFractionDigits: 1 }))

/** Names of methods that are no names of providers. */
const titles: Readonly<Record<string, SettingsKey>> = { Email: 'facts.password' }
const titleOf = (name: string): string => {
  const known = Object.hasOwn(titles, name) ? titles[name] : undefined
  return known ? st(known) : name
}

/** The ways to sign in, which the operator of the server sets up. */
export function SignInMethods(): JSX.Element {
  const chat = useChat()
  const methods = () =>
    Object.entries(chat.state.realm_authentication_methods).sort(
      ([, a], [, b]) => Number(b.enabled) - Number(a.enabled),
    )
  return (
    <>
      <p class="quiet">{st('facts.methodsMeaning')}</p>
      <dl class="facts">
        <For each={methods()}>
          {([name, { enabled }]) => <Fact name={titleOf(name)}>{enabled ? st('facts.on') : st('facts.off')}</Fact>}
        </For>
      </dl>
    </>
  )
}

/** What the files of the organization take, and how much they may. */
export function Storage(): JSX.Element {
  const chat = useChat()
  const [used] = createResource(async () => Number((await chat.ask('GET', '/attachments')).upload_space_used))
  const quota = () => chat.state.realm_upload_quota_mib
  return (
    <>
      <dl class="facts">
        <Fact name={st('facts.used')}>
          <Show when={!used.error} fallback={String(used.error?.message)}>
            {used() === undefined ? t('words.loading') : sizeText(Number(used()) / mib)}
          </Show>
        </Fact>
        <Fact name={st('facts.quota')}>{quota() === null ? st('facts.noQuota') : sizeText(Number(quota()))}</Fact>
        <Fact name={st('facts.largest')}>{sizeText(chat.state.max_file_upload_size_mib)}</Fact>
      </dl>
      <p class="quiet">{st('facts.quotaMeaning')}</p>
    </>
  )
}
