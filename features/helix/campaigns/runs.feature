@runtime
Feature: Histories of runs

  @helix.text.concatenation @helix.approval.denied @helix.approval.fails-closed @helix.approval.granted
  @helix.approval.requested @helix.approval.suspended @helix.approval.waits @helix.checkpoints.after-step
  @helix.checkpoints.committed @helix.checkpoints.discarded @helix.checkpoints.unique @helix.custom.in-place @helix.custom.unchanged
  @helix.errors.cancelled @helix.errors.classified @helix.errors.fail-code @helix.errors.goes-on
  @helix.errors.recoverable @helix.errors.step @helix.errors.stop-reason @helix.errors.unclassified
  @helix.lifecycle.late-reader @helix.output.ends @helix.output.final-output @helix.output.on-success
  @helix.output.schema @helix.output.unchanged @helix.resume.complete @helix.resync.written
  @helix.runs.interrupt-checkpoint @helix.runs.interrupted @helix.runs.mode @helix.runs.refused @helix.runs.resumed
  @helix.runs.same-session @helix.runs.superseded @helix.runs.superseded-graceful @helix.runs.superseded-silent
  @helix.snapshot.boundary @helix.snapshot.complete @helix.snapshot.exact @helix.snapshot.no-partial
  @helix.snapshot.partial @helix.snapshot.partial-parts @helix.snapshot.sequence @helix.snapshot.status
  @helix.snapshot.text @helix.snapshot.void @helix.state.after-resync @helix.state.parallel-appends @helix.state.sum
  @helix.subagents.child-terminal @helix.subagents.ended @helix.subagents.paired @helix.subagents.reported @helix.subagents.result @helix.subagents.within @helix.text.per-agent
  @helix.thinking.blocks @helix.thinking.content @helix.tools.arguments-coerced @helix.tools.arguments-parsed
  @helix.tools.ended @helix.tools.failure-goes-on @helix.tools.reported @helix.tools.result
  @must @must-not @no-transcript:the-seed-draws-what-is-played
  Rule: Whatever is done to a run, its readers receive what its agents said and did

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                  |
        | a run                    |
        | a run that is given data |
        | a run that is stopped    |
        | a run with sub-agents    |
        | a run with tools         |
        | runs one after another   |

    @approval @checkpoints
    Scenario: A run that is interrupted, goes on, crashes and waits for consent
      When this history of runs is played
        """
        1 stream of runs
        a run of [[{"text":"One. "},{"set":{"key":"n","value":1}}],[{"text":"Two, "},{"set":{"key":"n","value":null}},{"await":"b1"}],[{"thinking":"Three? "},{"custom":{"eventName":"map","data":["007"]}},{"await":"b2"},{"append":{"key":"list","items":[1,""]}}],[{"tool":{"name":"pay","arguments":"{}","approval":true,"result":[]}},{"output":"4"}]]
        reader 1 attaches
        reader 2 resumes at the latest
        a snapshot without partial content is asked for
        the run is interrupted
        the run is resumed with the mode later
        a snapshot is asked for
        its executor crashes and it recovers
        reader 1 receives what is due
        barrier 1 is released
        what must be refused is tried
        call 1 is approved
        """
      Then nothing was received that the spec rules out
