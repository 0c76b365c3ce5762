import { createResource, type JSX, Show } from 'solid-js'
import { st } from '../../../../language/settings-language.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { sizeText } from '../server-facts.js'
import { pathOf, type Whose } from './whose.js'

interface Space {
  readonly used_bytes: number
  readonly upload_quota_mib: number | null
  readonly default_quota_mib: number
}

const mib = 1_048_576
const mostMib = 1_000_000_000

/** What the files of the account take, and how much they may. */
export function UploadSpace(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const path = () => `${pathOf(props)}/upload_space`
  // The cast: the operation is not among the typed ones of the page.
  const [space, { refetch }] = createResource(async () => (await chat.ask('GET', path())) as unknown as Space)
  const set = async (text: string) => {
    if (await save('PATCH', path(), { upload_quota_mib: text === '' ? -1 : Number(text) })) await refetch()
  }
  const usual = (quota: number) => (quota === 0 ? st('facts.noQuota') : sizeText(quota))
  return (
    <fieldset class="group settings-part">
      <legend>{st('people.space')}</legend>
      <ErrorNotice text={space.error && String(space.error.message)} />
      <Show when={!space.error && space.latest}>
        {found => (
          <>
            <p>{st('people.spaceUsed', sizeText(found().used_bytes / mib))}</p>
            <label class="field">
              {st('people.spaceQuota')}
              <input
                class="input"
                type="number"
                min={0}
                max={mostMib}
                step={1}
                value={found().upload_quota_mib ?? ''}
                onChange={event => void set(event.currentTarget.value)}
              />
            </label>
            <p class="quiet">{st('people.spaceMeaning', usual(found().default_quota_mib))}</p>
          </>
        )}
      </Show>
    </fieldset>
  )
}
