Feature: Clients that this kit didn't write

  @helix.lifecycle.late-reader @must @no-transcript:the-library-hides-the-wire
  Rule: An off-the-shelf client reads a stream

    Scenario: An off-the-shelf client reads stored and live events
      Given a stream that holds events 1 to 4
      And an off-the-shelf client reads the stream
      When the writer writes events 5 to 9
      Then the off-the-shelf client receives events 1 to 9

  @helix.lifecycle.finished-replay @must @no-transcript:the-library-hides-the-wire
  Rule: An off-the-shelf client reads a finished stream

    Scenario Outline: An off-the-shelf client reads a stream that has <finished>
      Given a stream that holds events 1 to 4
      And the stream has <finished>
      When an off-the-shelf client reads the stream
      Then the off-the-shelf client receives events 1 to 4
      And the off-the-shelf client receives the <frame> frame

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

  @helix.resume.complete @must @resume @no-transcript:the-library-hides-the-wire
  Rule: An off-the-shelf client resumes a stream

    Scenario: An off-the-shelf client resumes after event 3
      Given a stream that holds events 1 to 6
      When an off-the-shelf client resumes after event 3
      Then the off-the-shelf client receives events 4 to 6

    Scenario: An off-the-shelf client resumes a stream that goes on
      Given a stream that holds events 1 to 3
      And an off-the-shelf client resumes after event 2
      When the writer writes events 4 to 6
      Then the off-the-shelf client receives events 3 to 6
