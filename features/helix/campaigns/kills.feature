@durable @resume
Feature: Histories of a server that is killed

  @helix.durable.kept @helix.durable.resume @helix.durable.whole @helix.durable.sequences @helix.durable.finished
  @helix.durable.status @helix.durable.removed @helix.durable.snapshot @must @must-not
  @no-transcript:the-seed-draws-what-is-played
  Rule: Whenever the server is killed, what it had answered is there, and nothing twice

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                          |
        | a stream whose server is killed  |

    @truncation @reset @status @info @snapshot
    Scenario: Kills at rest, in writes, in a cleanup, in a reset and in an end
      When this history is played
        """
        2 streams
        writer 1 writes 12 chunks of mixed steps, plain data of 40 bytes, 5 at a time
        on stream 2, writer 1 writes 3 chunks of no step, number-like data of 20 bytes
        reader 1 attaches
        on stream 2, reader 1 attaches
        the server is killed and started again
        3 writers write 6 chunks each at once, 2 at a time beside 4 readers, and the server is killed after 4 answers
        a pause
        the server is killed and started again
        StreamInfo is asked for
        the pause is over
        3 writers write 6 chunks each at once beside 4 readers, and it is cleaned up to step 1 meanwhile, and the server is killed after 9 answers
        reader 2 resumes after event 3
        3 writers write 6 chunks each at once beside 4 readers, and it is reset meanwhile, and the server is killed after 9 answers
        a snapshot is asked for
        2 writers write 6 chunks each at once beside 3 readers, and it is ended and failed meanwhile, and the server is killed after 7 answers
        it ends with plain data
        the server is killed and started again
        a reset
        the server is killed and started again
        writer 1 writes 2 chunks of step 2, plain data of 20 bytes
        """
      Then nothing was received that the spec rules out

  @helix.durable.runs @must @runtime @supersede @info
  @no-transcript:the-seed-draws-what-is-played
  Rule: Whenever the server of a run is killed, who takes the run over does what was open again, and nothing else

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                      |
        | a run whose server is killed |

    @approval @snapshot @checkpoints
    Scenario: Kills at a barrier, in what a run does, and while it waits for consent
      When this history of runs is played
        """
        1 stream of runs
        a run of [[{"text":"One. "},{"set":{"key":"n","value":1}}],[{"text":"Two, "},{"set":{"key":"n","value":null}},{"await":"b1"},{"text":"and more. "}],[{"thinking":"Three? "},{"append":{"key":"list","items":[1,""]}},{"await":"b2"}],[{"tool":{"name":"pay","arguments":"{}","approval":true,"result":[]}},{"await":"b3"},{"output":"4"}]] with an output of {"type":"string"}
        reader 1 attaches
        the server is killed and started again
        the run goes on, and the server is killed after 2 chunks
        a snapshot is asked for
        the run goes on
        the server is killed and started again
        call 1 is approved
        the server is killed and started again
        the server is killed and started again
        reader 2 resumes after event 3
        call 1 is approved
        the run goes on, and the server is killed after 0 chunks
        """
      Then nothing was received that the spec rules out
