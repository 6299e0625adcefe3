"""pybatsim's schedFcfs without its wish for neighbouring resources."""
from batsim.sched.algorithms.filling import filler_sched


def FcfsAnywhere(scheduler):
    return filler_sched(scheduler, abort_on_first_nonfitting=True)
