Feature: What outlasts everything else

  These scenarios begin before all others and end after them. What they wait for is the run itself.

  @helix.lifecycle.live @must @no-transcript:everything-else-runs-meanwhile
  Rule: A reader that nothing was sent to for long is still a reader

    Scenario: A connection that is quiet while everything else runs
      Given a stream that holds events 1 to 3
      And an attached client
      And every other scenario of the run has ended
      When the writer writes events 4 to 6
      Then the client receives exactly events 4 to 6

  @helix.resume.complete @must @resume @no-transcript:everything-else-runs-meanwhile
  Rule: A cursor is good for long

    Scenario: A cursor that is taken first and used last
      Given a stream that holds events 1 to 4
      And an attached client
      And the client disconnects
      And every other scenario of the run has ended
      When the client resumes after event 2
      Then the client receives exactly events 3 to 4

  @helix.status.transitions @must @info @status @no-transcript:everything-else-runs-meanwhile
  Rule: A pause lasts until it is ended

    Scenario: A stream that is paused while everything else runs
      Given a stream that holds event 1
      And the stream is made paused
      And every other scenario of the run has ended
      When the info of the stream is asked for
      Then the info says the status "paused"

  @helix.resume.paused @must @resume @status @no-transcript:everything-else-runs-meanwhile
  Rule: After a long pause a stream goes on

    Scenario: A pause that outlasts everything else
      Given a stream that holds events 1 to 4
      And the stream is made paused
      And every other scenario of the run has ended
      And the client resumes after event 2
      And the client receives what it missed
      And the stream is made active
      When the writer writes events 5 to 6
      Then the client receives exactly events 5 to 6
