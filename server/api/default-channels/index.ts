import type { Route } from '../route.js'
import { addDefaultStream } from './add-default-stream.js'
import { createDefaultStreamGroup } from './create-default-stream-group.js'
import { removeDefaultStream } from './remove-default-stream.js'
import { removeDefaultStreamGroup } from './remove-default-stream-group.js'
import { updateDefaultStreamGroup } from './update-default-stream-group.js'
import { updateDefaultStreamGroupStreams } from './update-default-stream-group-streams.js'

export const defaultChannelsRoutes: readonly Route[] = [
  addDefaultStream,
  removeDefaultStream,
  createDefaultStreamGroup,
  updateDefaultStreamGroup,
  removeDefaultStreamGroup,
  updateDefaultStreamGroupStreams,
]
