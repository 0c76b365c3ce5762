import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { st } from '../../../../language/settings-language.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { FileField } from '../../../file-field.js'
import { sendArchive } from './send-archive.js'

/** Uploads an archive, and requests its check. */
export function ArchiveForm(props: { done(): void }): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const [sent, setSent] = createSignal<number>()
  const [name, setName] = createSignal('')
  const abortion = new AbortController()
  onCleanup(() => abortion.abort())
  const send = async (file: File) => {
    setName(file.name)
    const progress = (part: number) => setSent(Math.floor(100 * part))
    progress(0)
    const isDone = await saving.run(async () => {
      const path_id = await sendArchive({ file, progress, signal: abortion.signal })
      await chat.ask('POST', '/imports', { path_id })
    })
    setSent(undefined)
    setName('')
    if (isDone) props.done()
  }
  return (
    <>
      <p>{st('imports.meaning')}</p>
      <FileField
        title={st('imports.archive')}
        chosen={name() || st('imports.choose')}
        accept=".zip,.gz,.tgz,.tar,.json,.jsonl"
        disabled={sent() !== undefined}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void send(file)
          currentTarget.value = ''
        }}
      />
      <Show when={sent() !== undefined}>
        <p>
          <progress aria-label={st('imports.sent', sent() ?? 0)} max={100} value={sent()} />{' '}
          {st('imports.sent', sent() ?? 0)}
        </p>
      </Show>
      <p class="quiet">{st('imports.largest', chat.state.max_file_upload_size_mib)}</p>
    </>
  )
}
