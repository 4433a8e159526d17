// Handing work to another agent. To the parent's model the child is a tool, so a call is around it.

import { Failure, asFailure } from './failure.mjs';
import { newId } from './id.mjs';
import { endCall } from './tool.mjs';

const tookTooLong = new Failure('the sub-agent took too long', { code: 'tool_timeout' });

export async function handOver(parent, { type, script, result = null, error, timeoutMs }) {
  const call = { toolCallId: newId('call'), toolName: `subagent__${type}` };
  const child = parent.startChild(type);
  const both = { subAgentType: type, subSessionId: child.id, callId: call.toolCallId };
  parent.emit({ type: 'tool_start', ...call, arguments: {} }, { type: 'subagent_start', ...both });
  const timer = parent.executor.startTimer(timeoutMs, () => child.cancel());
  const outcome = await outcomeOf(child, { script, result, error, timer });
  timer.stop();
  parent.children.delete(child);
  parent.emit({ type: 'subagent_end', ...both, ...outcome });
  endCall(parent, call, outcome);
}

async function outcomeOf(child, { script, result, error, timer }) {
  try {
    for (const [index, step] of script.entries()) {
      child.openStep();
      await child.perform(step);
      const isDone = child.output !== undefined || index === script.length - 1;
      if (isDone && error !== undefined) throw new Failure(error);
      child.commitStep();
      if (isDone) break;
    }
    if (error !== undefined) throw new Failure(error);
    return { result: child.output === undefined ? result : child.output };
  } catch (thrown) {
    const failure = timer.isOver ? tookTooLong : asFailure(thrown);
    child.fail(failure);
    return { result: null, error: failure.message };
  }
}
