import { createSignal, For, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { hasMouse } from '../../look/media.js'
import { fileOf, type LinkedFile } from '../../state/attached-files.js'
import { FileSign } from '../file-sign.js'
import type { Upload } from '../upload.js'
import { describeFile, sizeOf } from '../uploaded-file.js'
import { useView } from '../view.js'
import type { Composing } from './composing.js'
import './attached-files.css'

/** The files of the message that the user writes: those in its text, and those on their way to the server. */
export function AttachedFiles(props: { composing: Composing }): JSX.Element {
  const view = useView()
  const { attaching } = view
  // The button that had the focus is gone. On a touch screen the focus would open the keyboard.
  const removed = () => hasMouse() && view.focusComposer()
  return (
    <ul class="attached-files" aria-label={t('composer.attached')}>
      <For each={props.composing.files()}>
        {(file, index) => (
          <UploadedFile
            file={fileOf(file)}
            remove={() => {
              props.composing.removeFile(index())
              removed()
            }}
          />
        )}
      </For>
      <For each={attaching.uploads(props.composing.address())}>
        {upload => (
          <FileUnderWay
            upload={upload}
            retry={() => attaching.retry(upload)}
            remove={() => {
              attaching.remove(upload)
              removed()
            }}
          />
        )}
      </For>
    </ul>
  )
}

function UploadedFile(props: { file: LinkedFile; remove(): void }): JSX.Element {
  const [size, setSize] = createSignal<number>()
  onMount(async () => setSize(await sizeOf(props.file.address)))
  return (
    <li class="attached-file">
      <FileSign {...props.file} />
      <span class="attached-words">
        <Name name={props.file.name} />
        <small>{describeFile(props.file.name, size())}</small>
      </span>
      <IconButton
        icon="close"
        label={t('words.removeOne', props.file.name)}
        title={t('words.remove')}
        work={props.remove}
      />
    </li>
  )
}

function FileUnderWay(props: { upload: Upload; retry(): void; remove(): void }): JSX.Element {
  const { file, state, sent } = props.upload
  const failure = () => {
    const now = state()
    return now.kind === 'failed' ? now.reason : undefined
  }
  return (
    <li class="attached-file upload" classList={{ bad: failure() !== undefined }}>
      <FileSign name={file.name} />
      <span class="attached-words">
        <Name name={file.name} />
        <Switch fallback={<progress aria-label={t('composer.upload', file.name)} max={1} value={sent()} />}>
          <Match when={failure()}>{reason => <small title={reason()}>{reason()}</small>}</Match>
          <Match when={state().kind === 'waits'}>
            <small>{describeFile(file.name, file.size)}</small>
          </Match>
        </Switch>
      </span>
      <Show when={failure() !== undefined}>
        <button
          type="button"
          class="button"
          aria-label={t('composer.retryUpload', file.name)}
          onClick={() => props.retry()}
        >
          {t('words.tryAgain')}
        </button>
      </Show>
      <IconButton
        icon="close"
        label={failure() === undefined ? t('composer.cancelUpload', file.name) : t('words.removeOne', file.name)}
        title={failure() === undefined ? t('words.cancel') : t('words.remove')}
        work={props.remove}
      />
    </li>
  )
}

function Name(props: { name: string }): JSX.Element {
  return (
    <span class="attached-name" dir="auto" title={props.name}>
      {props.name}
    </span>
  )
}
